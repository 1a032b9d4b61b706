/** Whether an SPDX expression leaves a choice that is allowed. */
export function isAllowed(licence: string | undefined): boolean;
/** Checks the dependencies of the published packages. */
export function checkSupply(root: string): { packages: number; problems: string[] };
/** Reads what `npm audit --json` printed. */
export function readAudit(text: string): { answered: boolean; problems: string[] };
