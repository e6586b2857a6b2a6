/** ONNX Runtime, from the first session on: nothing else should wait for its native library, or fail for want of it. */
export type Runtime = typeof import("onnxruntime-node");

export const loadRuntime = (): Promise<Runtime> => import("onnxruntime-node");
