import { readFileSync } from 'node:fs';

/** Seconds of the processor that a process has used; −1 where the system does not tell. */
export function processorSeconds(pid: number | undefined): number {
  try {
    // Behind the name in brackets: user and system time in hundredths, as `man 5 proc` has it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return -1;
  }
}
