import { answerQuestion, createMemory, type Watch } from './handlers.js';
import type { Answer, Ask } from './protocol.js';
import { signalOf } from './stop.js';

/** The side of a worker's world that is needed here. */
type Port = {
  onmessage: ((event: { data: Ask }) => void) | null;
  postMessage(message: Answer, transfer?: Transferable[]): void;
};

/** Answers what a page asks, one question after another, in the order they come. */
export function serveWorker(port: Port): void {
  const memory = createMemory();
  let last: Promise<void> = Promise.resolve();
  port.onmessage = ({ data }) => {
    last = last.then(() => answer(data));
  };
  const answer = async (ask: Ask) => {
    const { id } = ask;
    try {
      const watch: Watch = {
        progress: (part, words) => port.postMessage({ id, type: 'progress', part, words }),
        ...(ask.stop && { signal: signalOf(ask.stop) }),
      };
      const value = await answerQuestion(memory, ask, watch);
      port.postMessage(
        { id, type: 'done', value },
        'bytes' in value ? [value.bytes.buffer as ArrayBuffer] : [],
      );
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      port.postMessage({ id, type: 'failed', error: { name, message } });
    }
  };
}
