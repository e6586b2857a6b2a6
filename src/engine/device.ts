/** The hardware a session may run on. */
import { InputError } from "../files/errors.ts";
import { loadRuntime } from "./runtime.ts";

export const devices = ["cpu", "cuda", "webgpu", "dml", "coreml"] as const;
export type Device = (typeof devices)[number];

/** The devices that this build of ONNX Runtime has on this platform. */
export async function availableDevices(): Promise<Device[]> {
  const { listSupportedBackends } = await loadRuntime();
  const names = listSupportedBackends().map(({ name }) => name);
  return devices.filter((device) => device === "cpu" || names.includes(device));
}

/** Throws unless the platform's ONNX Runtime knows the device. */
export async function expectDevice(device: Device): Promise<void> {
  const available = await availableDevices();
  if (!available.includes(device))
    throw new InputError(
      `device "${device}" is not available on ${process.platform}-${process.arch}; use one of: ${available.join(", ")}`,
    );
}
