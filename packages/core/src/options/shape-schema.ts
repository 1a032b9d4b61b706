import type { Plain } from '../base/plain-data.js';
import { CURVE_KEY } from './check-shape.js';
import type { FieldData, Schema, ShapeData } from './shape.js';

/**
 * The JSON Schema (draft 2020-12) of the values that {@link checkShape} lets pass; null for what JSON cannot hold. Two
 * things it cannot say: that numbers rise, and what depends on files.
 */
export function schemaOf(shape: ShapeData): Schema | null {
  switch (shape.kind) {
    case 'number':
      return {
        type: shape.isWhole ? 'integer' : 'number',
        ...(shape.least !== undefined && { minimum: shape.least }),
        ...(shape.most !== undefined && { maximum: shape.most }),
        ...(shape.above !== undefined && { exclusiveMinimum: shape.above }),
      };
    case 'switch':
      return { type: 'boolean' };
    case 'text':
      return { type: 'string' };
    case 'choice':
      return { enum: [...shape.words] };
    case 'list':
      return {
        type: 'array',
        items: schemaOf(shape.of) ?? {},
        ...(shape.count !== undefined && { minItems: shape.count, maxItems: shape.count }),
      };
    case 'record':
      return recordSchema(shape.fields);
    case 'table': {
      const of = schemaOf(shape.of) ?? {};
      return shape.names
        ? {
            type: 'object',
            properties: Object.fromEntries(shape.names.map((name) => [name, of])),
            additionalProperties: false,
          }
        : { type: 'object', additionalProperties: of };
    }
    case 'curve':
      return { anyOf: [{ type: 'number' }, { type: 'array', items: schemaOf(CURVE_KEY) }] };
    case 'either': {
      const each = [shape.first, shape.second].map(schemaOf).filter((schema) => schema !== null);
      return each.length === 1 ? each[0]! : { anyOf: each };
    }
    case 'data':
      return shape.schema;
    case 'code':
      return null;
  }
}

/** The schema of a part with the words that an editor shows beside it. */
export function describedSchema(
  shape: ShapeData,
  { summary, default: otherwise }: Pick<FieldData, 'summary' | 'default'>,
): Schema {
  const unit = shape.kind === 'number' && shape.unit ? ` (${shape.unit})` : '';
  const left = otherwise === '' ? '' : `. If left out: ${otherwise}`;
  return { description: `${summary}${unit}${left}`, ...schemaOf(shape) };
}

function recordSchema(fields: Readonly<Record<string, FieldData>>): Schema {
  const required: Plain[] = Object.keys(fields).filter((name) => fields[name]!.isRequired);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, describedSchema(field.shape, field)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
