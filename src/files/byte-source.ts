/** Bytes that are read by position. */
export interface ByteSource {
  readonly length: number;
  /** Fills `target` with what is at `position`. */
  read(position: number, target: Uint8Array): void;
  close(): void;
}
