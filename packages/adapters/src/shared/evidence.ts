/*
 * What a body of somebody's scene is read from, one thing after the other: where all of it is the same, so is the body.
 * To compare takes a small part of reading, since nothing is made.
 */

/** Things and numbers in the order in which they were told. */
export type Evidence = { things: unknown[]; numbers: number[] };

/** Who is told of a body: writes everything down, or compares it with what was written before. */
export type Witness = Evidence & {
  /** Whether things are written down. */
  isNew: boolean;
  /** How many things, and how many numbers, were told. */
  thing: number;
  number: number;
  isSame: boolean;
};

/** A witness that writes everything down. */
export function noteEvidence(): Witness {
  return { things: [], numbers: [], isNew: true, thing: 0, number: 0, isSame: true };
}

/** A witness that compares with what was written down. */
export function compareEvidence({ things, numbers }: Evidence): Witness {
  return { things, numbers, isNew: false, thing: 0, number: 0, isSame: true };
}

/** Whether a witness was told the same as was written down, and no less. */
export function isConfirmed({ isSame, things, numbers, thing, number }: Witness): boolean {
  return isSame && thing === things.length && number === numbers.length;
}

/** Tells of a thing: one is the same where it is the very same. */
export function tell(witness: Witness, thing: unknown): void {
  if (witness.isNew) witness.things.push(thing);
  else if (witness.things[witness.thing] !== thing) witness.isSame = false;
  witness.thing++;
}

/** Tells of a number. What is none is never the same: such a body is read each time. */
export function tellNumber(witness: Witness, number: number): void {
  if (witness.isNew) witness.numbers.push(number);
  else if (witness.numbers[witness.number] !== number) witness.isSame = false;
  witness.number++;
}

/** Tells of several numbers. */
export function tellNumbers(witness: Witness, numbers: ArrayLike<number>): void {
  const { numbers: known, number: at } = witness;
  if (witness.isNew) for (let i = 0; i < numbers.length; i++) known.push(numbers[i]!);
  else
    for (let i = 0; i < numbers.length; i++)
      if (known[at + i] !== numbers[i]) {
        witness.isSame = false;
        break;
      }
  witness.number = at + numbers.length;
}
