/** Whether a result can be used as it is, is to be looked at, or is none. */
export type Verdict = 'good' | 'look' | 'broken';

/** Why a result is not good. */
export type VerdictReason = {
  verdict: Exclude<Verdict, 'good'>;
  /** What it goes by; the code of a warning where that is it. */
  code: string;
  /** In a sentence for a person, without a capital or a full stop. */
  message: string;
  /** The clip it is about, where it is not all of them. */
  clip?: string;
};

/** What is to be thought of a result, and why: the worst reason first. */
export type ResultVerdict = { verdict: Verdict; reasons: VerdictReason[] };
