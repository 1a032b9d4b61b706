/*
 * The one memory. People move clips one by one, and most of what a clip needs was found for the one before it: what a
 * skeleton is, who drives whom, how keys are moved. Each of those is remembered with the object it is about, and used
 * again where all that it was made of is the same. Nobody can tell which calls came before but by the time they take:
 * with the memory switched off all results are the same.
 */

/** One kind of answer that is remembered: which inputs are the same, and how many answers an owner keeps. */
export type Memory<Inputs, Value> = {
  /** By owner, the latest first; an answer ends with its owner. */
  answers: WeakMap<object, { inputs: Inputs; value: Value }[]>;
  isSame: (known: Inputs, asked: Inputs, value: Value) => boolean;
  most: number;
};

let isOn = true;

/**
 * Makes a memory.
 * @param isSame Whether what was made of some inputs, a value, holds for others; they are the same objects if left out.
 * @param most How many answers each owner keeps; the one used longest ago is forgotten first.
 */
export function createMemory<Inputs, Value>(
  isSame: Memory<Inputs, Value>['isSame'] = areSameParts,
  most = 1,
): Memory<Inputs, Value> {
  return { answers: new WeakMap(), isSame, most };
}

/**
 * What `make` gives, or gave before for the same owner and the same inputs. To be read, never changed.
 * @param keep What is remembered of the inputs: a copy, where the caller may change them; `make` is given that.
 */
export function remember<Owner extends object, Inputs, Value>(
  memory: Memory<Inputs, Value>,
  owner: Owner,
  inputs: Inputs,
  make: (inputs: Inputs, owner: Owner) => Value,
  keep?: (inputs: Inputs) => Inputs,
): Value {
  if (!isOn) return make(keep ? keep(inputs) : inputs, owner);
  const answers = memory.answers.get(owner);
  if (answers !== undefined)
    for (let n = 0; n < answers.length; n++) {
      const answer = answers[n]!;
      if (!memory.isSame(answer.inputs, inputs, answer.value)) continue;
      if (n > 0) answers.unshift(...answers.splice(n, 1));
      return answer.value;
    }
  const kept = keep ? keep(inputs) : inputs;
  const value = make(kept, owner);
  const others = memory.answers.get(owner) ?? [];
  memory.answers.set(owner, [{ inputs: kept, value }, ...others.slice(0, memory.most - 1)]);
  return value;
}

/** Whether two records hold the same objects, or two values are one. */
function areSameParts(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  for (const name of Object.keys(b))
    if (!Object.is(a[name as keyof typeof a], b[name as keyof typeof b])) return false;
  return true;
}

/**
 * Switches the memory off, or on again: for tests, and for who looks for the reason of a surprise. What was remembered
 * stays, unused.
 */
export function switchMemory(on: boolean): void {
  isOn = on;
}

/** Whether answers are remembered. */
export function isRemembering(): boolean {
  return isOn;
}
