/** Matrix products. */
import { expectShapes } from "../shape.ts";
import { differentiable, emit, type Tensor } from "../tensor.ts";

interface Transposition {
  /** Use the transpose of the left matrix. */
  readonly left?: boolean;
  /** Use the transpose of the right matrix. */
  readonly right?: boolean;
}

/** The product of two matrices, either of them transposed first if asked. */
export function matmul(a: Tensor, b: Tensor, { left = false, right = false }: Transposition = {}): Tensor {
  expectShapes(a.shape.length === 2 && b.shape.length === 2, "MatMul", [a.shape, b.shape], "must both be matrices");
  const [rows, inner] = left ? [a.shape[1], a.shape[0]] : a.shape;
  const [innerToo, columns] = right ? [b.shape[1], b.shape[0]] : b.shape;
  expectShapes(inner === innerToo, "MatMul", [a.shape, b.shape], "do not multiply");
  const output = { type: a.type, shape: [rows, columns] };
  const y =
    left || right
      ? emit("Gemm", [a, b], output, { attributes: { transA: Number(left), transB: Number(right) } })
      : emit("MatMul", [a, b], output);
  return differentiable(y, [a, b], (dy) => [
    left ? matmul(b, dy, { left: right, right: true }) : matmul(dy, b, { right: !right }),
    right ? matmul(dy, a, { left: true, right: left }) : matmul(a, dy, { left: !left }),
  ]);
}
