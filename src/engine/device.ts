/** The hardware a session may run on. */
import { listSupportedBackends } from "onnxruntime-node";
import { InputError } from "../files/errors.ts";

export const devices = ["cpu", "cuda", "webgpu", "dml", "coreml"] as const;
export type Device = (typeof devices)[number];

/** The devices that this build of ONNX Runtime has on this platform. */
export function availableDevices(): Device[] {
  const names = listSupportedBackends().map(({ name }) => name);
  return devices.filter((device) => device === "cpu" || names.includes(device));
}

/** Throws unless the platform's ONNX Runtime knows the device. */
export function expectDevice(device: string): asserts device is Device {
  const available = availableDevices();
  if (!available.some((name) => name === device))
    throw new InputError(
      `device "${device}" is not available on ${process.platform}-${process.arch}; use one of: ${available.join(", ")}`,
    );
}
