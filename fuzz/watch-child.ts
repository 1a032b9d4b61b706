import { fork } from 'node:child_process';
import { processorSeconds } from './processor-seconds.js';
import type { Errand, Message } from './run-cases.js';

/** Seconds of the processor after which a case is taken to hang, and by the clock where those are not known. */
const HANGS_AFTER = 20;
const HANGS_AFTER_CLOCK = 120;

/** How a child ended: the next case to try, and what ended it before its time, if anything did. */
export type ChildEnd = { next: number; lost: { index: number; why: string } | null };

/**
 * Tries cases in a child process, which is ended where one hangs.
 * @param script What the child runs; it finds its errand in the environment.
 * @param onMessage Called for whatever the child says.
 * @param hangsAfter Seconds of the processor after which a case is taken to hang.
 */
export function watchChild(
  script: string,
  errand: Errand,
  onMessage: (message: Message) => void,
  hangsAfter = HANGS_AFTER,
): Promise<ChildEnd> {
  return new Promise((resolve) => {
    const child = fork(script, [], {
      env: { ...process.env, STUNTDOUBLE_FUZZ: JSON.stringify(errand) },
      // A case that needs a gigabyte has failed, whatever the machine has.
      execArgv: ['--max-old-space-size=1024'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let running = -1;
    let next = errand.from;
    let began = { processor: 0, clock: 0 };
    let isHung = false;
    let lastWords = '';
    child.stderr?.on('data', (words: Buffer) => {
      lastWords = `${lastWords}${words.toString()}`.slice(-2000);
    });
    const now = () => ({ processor: processorSeconds(child.pid), clock: performance.now() / 1000 });
    const clock = setInterval(() => {
      if (running < 0) return;
      const { processor, clock: seconds } = now();
      const spent = processor >= 0 ? processor - began.processor : 0;
      if (spent < hangsAfter && seconds - began.clock < HANGS_AFTER_CLOCK) return;
      isHung = true;
      child.kill('SIGKILL');
    }, 500);
    child.on('message', (message: Message) => {
      if (message.kind === 'begin') {
        running = message.index;
        began = now();
      } else if (message.kind === 'end') {
        running = -1;
        next = message.index + 1;
      }
      onMessage(message);
    });
    child.on('exit', (code, signal) => {
      clearInterval(clock);
      if (running >= 0) {
        const words = /heap out of memory|RangeError.*|Error: .*/.exec(lastWords)?.[0] ?? '';
        const why = isHung ? 'hangs' : `ends the process (${signal ?? `code ${code}`}) ${words}`;
        resolve({ next: running + 1, lost: { index: running, why } });
      } else if (next < errand.end && code !== 0)
        resolve({ next: errand.end, lost: { index: next, why: `cannot begin: ${lastWords.slice(-300)}` } });
      else resolve({ next: Math.max(next, errand.end), lost: null });
    });
  });
}
