import { serveWorker } from './serve-worker.js';

// One program, started twice: as `quick` and as `whole`.
serveWorker(self as unknown as Parameters<typeof serveWorker>[0]);
