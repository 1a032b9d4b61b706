import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clip, Scene } from '@stuntdouble/core';
import { read, write } from '@stuntdouble/formats';
import { writePng } from '@stuntdouble/picture';
import {
  counted,
  createProgress,
  createTerminal,
  describeStreams,
  heading,
  seconds,
  type Terminal,
} from 'stuntdouble/printing';
import { type CastMember, readCastMember } from './cast.js';
import { DEMO_CHARACTERS, DEMO_MOTIONS, type SampleEntry, samplesFolder } from './catalogue.js';
import { castTable, performanceTable, waysTable } from './demo-tables.js';
import { drawSheet, momentAt } from './draw-sheet.js';
import { type Performance, perform, worstDirection } from './retarget-all.js';

/** What the demo shows; what the catalogue lists for it, if nothing is said. */
export type DemoOptions = {
  /** Where the files go; `out/demo` of the project if left out. */
  folder?: string;
  /** The first is the character that the motions were made for. */
  characters?: readonly SampleEntry[];
  motions?: readonly SampleEntry[];
  /** Degrees of direction error that are allowed; 0.1 if left out. */
  limit?: number;
  /** Pixels of the sheet's width; 1600 if left out. */
  width?: number;
};

/** What a demo has come to. */
export type DemoOutcome = {
  /** Whether no direction is further off than allowed. */
  passed: boolean;
  /** Degrees: the worst direction of all results. */
  worst: number;
  /** The files it wrote. */
  files: string[];
};

/** The instants that the sheet shows: motion, seconds, and what is seen. */
const MOMENTS: readonly (readonly [motion: string, time: number, words: string])[] = [
  ['walk', 0.0, 'Walk: the heel strikes'],
  ['walk', 0.25, 'Walk: legs pass'],
  ['run-turn', 0.7, 'Run'],
  ['run-turn', 1.7, 'Run: in the turn'],
  ['jump', 1.0, 'Jump: push off'],
  ['jump', 1.3, 'Jump: in the air'],
  ['wave-on-one-leg', 1.5, 'Wave on one leg'],
];

/**
 * Puts every sample motion on every sample character, writes the files and a sheet of pictures, and prints
 * what was measured.
 */
export async function runDemo(
  terminal: Pick<Terminal, 'out' | 'colors'>,
  options: DemoOptions = {},
): Promise<DemoOutcome> {
  const folder = options.folder ?? fileURLToPath(new URL('../../out/demo', import.meta.url));
  const { characters = DEMO_CHARACTERS, motions = DEMO_MOTIONS, limit = 0.1, width = 1600 } = options;
  const say = (...lines: string[]) => terminal.out(`${lines.join('\n')}\n`);
  const title = (text: string, words = '') =>
    say('', heading(text, terminal) + (words && terminal.colors.dim(`  ${words}`)));
  mkdirSync(folder, { recursive: true });

  const cast = await Promise.all(characters.map(readCastMember));
  title(
    `${counted(cast.length, 'character')} that have little in common`,
    'as read from their files; arms and knees in the reference pose',
  );
  say(...castTable(cast, terminal));

  const scenes = await Promise.all(motions.map(({ file }) => read(samplesFolder + file)));
  const performances: Performance[][] = [];
  scenes.forEach((scene, m) => {
    const results = cast.map((member) => perform(scene, member));
    performances.push(results);
    const { duration } = scene.characters[0]!.clips[0]!;
    title(`${motions[m]!.title}`, `${motions[m]!.file}, ${seconds(duration)}`);
    say(...performanceTable(cast, results, limit, terminal));
  });
  say(
    terminal.colors.dim(
      '  direction of arms, hands, fingers and leg lines against the source: mean, worst; rotation from the reference\n' +
        '  and twist about the limb: worst; ms to understand both skeletons and move the clip, without measuring it',
    ),
  );

  const files = await writeResults(folder, cast, motions, performances);
  const ways = await retargetAllWays(files, cast, motions[0]!);
  title(
    `${motions[0]!.title}: from each to each`,
    'from the files that were just written; worst direction against the one it came from',
  );
  say(...waysTable(cast, ways, limit, terminal));

  const sheet = `${folder}/sheet.png`;
  const moments = MOMENTS.flatMap(([name, time, words]) => {
    const m = motions.findIndex((motion) => motion.name === name);
    if (m < 0) return [];
    const clips = performances[m]!.map(({ clip }) => clip);
    return [momentAt(cast, clips, time, { title: words, caption: seconds(time) })];
  });
  if (moments.length > 0) {
    const image = drawSheet(cast, moments, {
      title: `Motions made for the first character, on ${counted(cast.length - 1, 'other')}`,
      width,
    });
    writeFileSync(sheet, writePng(image));
    files.push(sheet);
  }

  const all = [...performances.flat().map(({ result }) => worstDirection(result)), ...ways.flat()];
  const worst = Math.max(...all);
  const passed = worst <= limit;
  const verdict = `${counted(all.length, 'retarget')}, no direction further off than ${worst.toFixed(5)}°`;
  say(
    '',
    passed
      ? terminal.colors.green(`${verdict}.`)
      : terminal.colors.red(`${verdict}: more than the ${limit}° that are allowed.`),
    '',
    heading(`Look at them in ${shown(folder)}`, terminal),
    ...files.map((file) => `  ${shown(file)}`),
    terminal.colors.dim('  The characters hold all motions as clips and open in any glTF or VRM viewer.'),
  );
  return { passed, worst, files };
}

/** Writes one file a character that holds all its motions. */
async function writeResults(
  folder: string,
  cast: readonly CastMember[],
  motions: readonly SampleEntry[],
  performances: readonly (readonly Performance[])[],
): Promise<string[]> {
  return Promise.all(
    cast.map(async ({ entry, scene }, c) => {
      const clips = performances.map((results, m): Clip => ({ ...results[c]!.clip, name: motions[m]!.name }));
      const path = `${folder}/${entry.name}${/\.\w+$/.exec(entry.file)![0]}`;
      await write(path, { scene, character: 0, clips }, { force: true });
      return path;
    }),
  );
}

/** Moves one motion from the written file of each character onto each: degrees of the worst direction. */
async function retargetAllWays(
  files: readonly string[],
  cast: readonly CastMember[],
  motion: SampleEntry,
): Promise<number[][]> {
  const sources = await Promise.all(files.map((file) => read(file)));
  return sources.map((source, from) => {
    const one = onlyClip(source, motion.name);
    return cast.map((target) => worstDirection(perform(one, target, cast[from]).result));
  });
}

function onlyClip(scene: Scene, name: string): Scene {
  const [character] = scene.characters;
  return {
    ...scene,
    characters: [{ ...character!, clips: character!.clips.filter((clip) => clip.name === name) }],
  };
}

/** A path as short as a person at the project's root would type it. */
function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { passed } = await runDemo(
    createTerminal(describeStreams(process), {
      out: (text) => void process.stdout.write(text),
      outBytes: (bytes) => void process.stdout.write(bytes),
      err: (text) => void process.stderr.write(text),
      progress: createProgress(null),
    }),
  );
  if (!passed) process.exitCode = 1;
}
