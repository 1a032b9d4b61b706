import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '@stuntdouble/core';
import { type Command, InvalidArgumentError } from 'commander';
import { startStudioServer } from '../studio-server.js';
import type { Terminal } from '../terminal.js';
import type { Context } from './context.js';

const EXAMPLES = `
Examples:
  $ stuntdouble studio
      open the studio in the browser, with a sample that plays
  $ stuntdouble studio walk.fbx hero.vrm
      with these two files: the motion plays on the character
  $ stuntdouble studio --port 8080 --no-open
      serve it there, and open nothing

The studio runs in the browser; nothing leaves this machine. It is served to this machine alone, until Ctrl C.

What --json prints:
  { address, port }, when the server is ready
`;

type StudioOptions = { port?: number; open: boolean; json?: boolean };

/** Adds the command `studio [FILES]`. */
export function addStudio(program: Command, context: Context): void {
  program
    .command('studio')
    .summary('see, judge and mend results in the browser')
    .description('Serves the studio to this machine and opens it in the browser.')
    .argument('[FILES...]', 'motions and characters to open')
    .option('--port <N>', 'the port to serve it on; a free one if left out', parsePort)
    .option('--no-open', 'do not open a browser')
    .option('--json', 'print one JSON document on standard output and nothing else there')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: StudioOptions) => {
      const { terminal } = context;
      const server = await startStudioServer({
        folder: studioFolder(),
        files,
        ...(options.port !== undefined && { port: options.port }),
      });
      const { address, port } = server;
      const words = options.json
        ? JSON.stringify({ address, port })
        : `The studio is at ${terminal.colors.cyan(address)} until Ctrl C.`;
      // Said while it is served: at its end nobody needs it any more.
      if (terminal.outNow) terminal.outNow(words);
      else terminal.out(`${words}\n`);
      if (options.open) openBrowser(address);
      await untilStopped(terminal);
      await server.close();
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}

/** The built studio: beside the command where it is installed, in its own folder in a clone. */
function studioFolder(): string {
  const places = ['../../studio/', '../../../../apps/studio/dist/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const found = places.find((place) => existsSync(`${place}index.html`));
  if (!found) throw new UsageError('the studio is not built; in a clone, npm run studio builds and opens it');
  return found;
}

/** Opens an address in the person's browser; where that fails, it has been printed. */
function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', address]
        : ['xdg-open', address];
  const child = spawn(command!, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** Waits for Ctrl C or for being asked to end. A thread hears of no signal: whoever supervises it says so. */
function untilStopped({ onStop }: Terminal): Promise<void> {
  return new Promise((done) => {
    if (onStop) return onStop(done);
    process.once('SIGINT', () => done());
    process.once('SIGTERM', () => done());
  });
}
