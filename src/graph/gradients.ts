/** Reverse-mode differentiation. */
import { formatShape } from "../engine/program.ts";
import { InputError } from "../files/errors.ts";
import { zerosLike } from "./operators/broadcasting.ts";
import { add } from "./operators/elementwise.ts";
import { sameShape } from "./shape.ts";
import { floats, type Tensor } from "./tensor.ts";

/**
 * The gradients of the scalar `of` with respect to each tensor of `wrt`, as new tensors. A tensor that `of` does not
 * depend on has gradient zero. A dependence through a value without a gradient rule (an index) is an error.
 */
export function gradients(of: Tensor, wrt: readonly Tensor[]): Tensor[] {
  if (of.shape.length !== 0)
    throw new InputError(`gradients: only a scalar has them, and this has shape ${formatShape(of.shape)}`);
  const affected = dependents(of, new Set(wrt));
  const cotangents = new Map<Tensor, Tensor>([[of, floats(1)]]);
  for (const y of ruleOrder(of, affected)) {
    const dy = cotangents.get(y);
    if (dy === undefined) continue;
    if (y.rule === undefined) {
      if (wrt.includes(y)) continue;
      throw new InputError(`gradients: ${describe(y)} has no gradient`);
    }
    const { inputs, apply } = y.rule;
    apply(dy).forEach((dx, index) => {
      const x = inputs[index];
      if (dx === undefined || !affected.has(x)) return;
      if (!sameShape(dx.shape, x.shape))
        throw new Error(`${describe(y)}: gradient ${formatShape(dx.shape)} for a value ${formatShape(x.shape)}`);
      const sum = cotangents.get(x);
      cotangents.set(x, sum === undefined ? dx : add(sum, dx));
    });
  }
  return wrt.map((x) => cotangents.get(x) ?? zerosLike(x));
}

/** Every tensor between `sources` and `of`, by gradient rule or, where there is none, by node. */
function dependents(of: Tensor, sources: ReadonlySet<Tensor>): Set<Tensor> {
  const answers = new Map<Tensor, boolean>();
  const depends = (y: Tensor): boolean => {
    const known = answers.get(y);
    if (known !== undefined) return known;
    let answer = sources.has(y);
    for (const x of ancestors(y)) answer = depends(x) || answer;
    answers.set(y, answer);
    return answer;
  };
  depends(of);
  return new Set([...answers].flatMap(([y, answer]) => (answer ? [y] : [])));
}

function ancestors(y: Tensor): readonly Tensor[] {
  if (y.rule !== undefined) return y.rule.inputs;
  return y.origin.kind === "node" ? y.origin.node.inputs.filter((x) => x !== undefined) : [];
}

/** The affected tensors in reverse order: each after all that were computed from it. */
function ruleOrder(of: Tensor, affected: ReadonlySet<Tensor>): Tensor[] {
  const order: Tensor[] = [];
  const seen = new Set<Tensor>();
  const visit = (y: Tensor): void => {
    if (seen.has(y) || !affected.has(y)) return;
    seen.add(y);
    y.rule?.inputs.forEach(visit);
    order.push(y);
  };
  visit(of);
  return order.reverse();
}

function describe(y: Tensor): string {
  return y.origin.kind === "node" ? `the result of ${y.origin.node.operator}` : `an ${y.origin.kind}`;
}
