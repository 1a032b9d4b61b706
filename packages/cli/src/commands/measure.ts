import {
  type AlignmentMode,
  type ClipMeasures,
  chooseCharacter,
  type Limb,
  measure,
  type ReferenceChoice,
  type Scene,
  type Warning,
} from '@stuntdouble/core';
import type { Command } from 'commander';
import { parseAlignment, parseReference } from '../arguments.js';
import { Failure } from '../failure.js';
import { type ClipPair, listed, pairClips, parseClipPair } from '../pair-clips.js';
import { readScene, requireSkeleton } from '../read-scene.js';
import { limbTable, measureLegend, measureTable } from '../report-card.js';
import { printable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { counted, degrees, heading, uniqueWarnings, warningJson, warningLines } from '../words.js';
import { addSharedOptions, answer, type Context, finish, loadMap, type SharedOptions } from './context.js';

const EXAMPLES = `
Examples:
  $ stuntdouble measure walk.glb hero-walk.vrm
      how true hero-walk.vrm is to walk.glb, clip by clip and limb by limb
  $ stuntdouble measure walk.glb other-tool.glb --clip Walk=mixamo.com
      measure what another tool made: any clip against any other
  $ stuntdouble measure walk.glb hero-walk.vrm --map hero-map.json
      with the map that the result was made with

Clips are paired by name; "walk (2)", as retarget names a clip whose name was taken, counts as "walk"; one clip
on either side is a pair whatever it is called.

What --json prints:
  { clips: [{ name, direction: { mean, p99, worst, limbs: { leftArm: { mean, p99, worst }, … } },
              rotation: { mean, p99, worst }, twist: { … } or null, kneeBend, samples }],
    warnings: [{ code, message }] }
  All angles in degrees.
`;

type MeasureOptions = SharedOptions & {
  clip?: string[];
  map?: string;
  skeleton?: string;
  sourceSkeleton?: string;
  referenceSource?: ReferenceChoice;
  referenceTarget?: ReferenceChoice;
  align?: Partial<Record<Limb, AlignmentMode>>;
};

/** Adds the command `measure SOURCE RESULT`. */
export function addMeasure(program: Command, context: Context): void {
  addSharedOptions(
    program
      .command('measure')
      .summary('the report card of a result')
      .description(
        'Measures how true the clips of RESULT are to those of SOURCE: where limbs point, how far joints have turned, how they are twisted. The map is found as retarget finds it.',
      )
      .argument('<SOURCE>', 'the file with the original motion')
      .argument('<RESULT>', 'the file with the motion on another character')
      .option('--clip <A=B>', 'measure clip A of SOURCE against clip B of RESULT; repeatable', parseClipPair)
      .option('--map <FILE>', 'the map that the result was made with')
      .option('--skeleton <NAME>', 'the skeleton of RESULT, by name or number, where there are several')
      .option('--source-skeleton <NAME>', 'the skeleton of SOURCE, likewise')
      .option('--reference-source <POSE>', 'auto, rest, bind, frame:K or CLIP@SECONDS', parseReference)
      .option('--reference-target <POSE>', 'likewise for RESULT', parseReference)
      .option('--align <LIMB=MODE>', 'as given to retarget; repeatable', parseAlignment),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (sourcePath: string, resultPath: string, options: MeasureOptions) => {
      const map = await loadMap(options.map);
      const [source, result] = await Promise.all([readScene(sourcePath), readScene(resultPath)]);
      const sourceClips = clipNames(sourcePath, source, options.sourceSkeleton);
      const resultClips = clipNames(resultPath, result, options.skeleton);
      const { pairs, alone } = pairClips(sourceClips, resultClips, options.clip);
      const measured = measure(source, result, {
        pairs,
        ...(map ? { map } : {}),
        ...(options.sourceSkeleton === undefined ? {} : { sourceSkeleton: options.sourceSkeleton }),
        ...(options.skeleton === undefined ? {} : { targetSkeleton: options.skeleton }),
        ...(options.referenceSource === undefined ? {} : { sourceReference: options.referenceSource }),
        ...(options.referenceTarget === undefined ? {} : { targetReference: options.referenceTarget }),
        ...(options.align === undefined ? {} : { alignment: options.align }),
      });
      const warnings = uniqueWarnings([...source.warnings, ...result.warnings, ...measured.warnings]);
      answer(
        context,
        options,
        () => ({ clips: measured.clips, warnings: warnings.map(warningJson) }),
        () => [
          `${heading(sourcePath, context.terminal)} → ${heading(resultPath, context.terminal)}  ${counted(measured.clips.length, 'clip')} measured`,
          '',
          ...measureLines(measured.clips, pairs, context.terminal),
          ...(options.clip ? [] : aloneLines(alone.result, 'result', context.terminal)),
          ...warningSection(warnings, context.terminal),
        ],
      );
      finish(context, options, warnings);
    });
}

function clipNames(path: string, scene: Scene, skeleton: string | undefined): string[] {
  requireSkeleton(path, scene);
  const { character } = chooseCharacter(scene, skeleton);
  const names = scene.characters[character]!.clips.map(({ name }) => name);
  if (names.length === 0) throw new Failure(`${path} has no clips: there is nothing to measure`);
  return names;
}

function measureLines(
  clips: readonly ClipMeasures[],
  pairs: readonly ClipPair[],
  terminal: Terminal,
): string[] {
  const lines = [...measureTable(clips, terminal), measureLegend(terminal)];
  const renamed = pairs.filter(([a, b]) => a !== b);
  if (renamed.length > 0)
    lines.push(
      '',
      ...renamed.map(([a, b]) =>
        terminal.colors.dim(`  "${printable(b)}" was measured against "${printable(a)}"`),
      ),
    );
  const limbs = limbTable(clips, terminal);
  if (limbs.length > 0) lines.push('', ...limbs);
  const bends = clips.map(({ kneeBend }) => kneeBend).filter((bend) => bend !== null);
  if (bends.length > 0)
    lines.push(
      terminal.colors.dim(
        `  knees rest up to ${degrees(Math.max(...bends), 1)} apart; kept as anatomy, not counted`,
      ),
    );
  return lines;
}

function aloneLines(names: readonly string[], where: string, { colors }: Terminal): string[] {
  if (names.length === 0) return [];
  return [
    '',
    colors.dim(`not measured, the source has no such clip: ${printable(listed(names))} of the ${where}`),
  ];
}

function warningSection(warnings: readonly Warning[], terminal: Terminal): string[] {
  return warnings.length > 0 ? ['', ...warningLines(warnings, terminal)] : [];
}
