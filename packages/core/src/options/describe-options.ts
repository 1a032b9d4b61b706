import { boundsOf } from './check-shape.js';
import { type OptionPath, optionOf } from './list.js';
import type { FieldData, ShapeData } from './shape.js';

/** A row of a table of options: a name, what it may be, what holds where it is left out, and what it does. */
export type OptionRow = { name: string; takes: string; default: string; summary: string };

/** An option, or a part of one, in words: a row for it and one for each of its parts. @throws where there is none. */
export function describeOption(path: OptionPath): OptionRow[] {
  const [name = '', ...parts] = path.split('.');
  let found: Pick<FieldData, 'shape' | 'default' | 'summary'> | undefined = optionOf(name);
  for (const part of parts) found = found && fieldsIn(found.shape)[part];
  if (!found) throw new Error(`there is no option ${path}`);
  const rows = Object.entries(fieldsIn(found.shape)).map(([part, field]) => rowOf(`${path}.${part}`, field));
  return [rowOf(path, found), ...rows];
}

function rowOf(
  name: string,
  { shape, ...rest }: Pick<FieldData, 'shape' | 'default' | 'summary'>,
): OptionRow {
  return { name, takes: describeShape(shape), default: rest.default, summary: rest.summary };
}

/** The parts that a value of a shape has by name. */
function fieldsIn(shape: ShapeData): Readonly<Record<string, FieldData>> {
  if (shape.kind === 'record') return shape.fields;
  return shape.kind === 'either' ? { ...fieldsIn(shape.first), ...fieldsIn(shape.second) } : {};
}

/** What values of a shape are, in words. */
export function describeShape(shape: ShapeData): string {
  switch (shape.kind) {
    case 'number': {
      const bounds = boundsOf(shape)
        .replace(/^must be (an? )?/, '')
        .replace(/^goes /, 'number ');
      return `${bounds || 'number'}${shape.unit ? `, ${shape.unit}` : ''}`;
    }
    case 'switch':
      return 'true or false';
    case 'text':
      return 'text';
    case 'choice':
      return shape.words.map((word) => `\`${word}\``).join(', ');
    case 'list':
      return `${shape.count ?? 'list'} of: ${describeShape(shape.of)}`;
    case 'record':
      return `{ ${Object.keys(shape.fields).join(', ')} }`;
    case 'table':
      return `by ${shape.by}${shape.names ? ` (${shape.names.join(', ')})` : ''}: ${describeShape(shape.of)}`;
    case 'curve':
      return 'number, or keys over time [{ time, value, easing }]';
    case 'either':
      return `${describeShape(shape.first)}; or ${describeShape(shape.second)}`;
    case 'data':
    case 'code':
      return shape.says;
  }
}
