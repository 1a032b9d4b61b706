import type { ClipMeasures } from '@stuntdouble/core';
import { allFigures } from './all-measures.js';

/** Every figure of a report, group by group; what each means stands in docs/measures.md. */
export function FiguresTable({ measures }: { measures: ClipMeasures }) {
  return (
    <table className="plain figures" aria-label="Every measure">
      <tbody>
        {allFigures(measures).map(({ path, title, figures }) => (
          <tr key={path} data-figures={path}>
            <td className="quiet">{title}</td>
            <td>
              {figures.map(({ name, text }) => (
                <span key={name}>
                  <b>{text}</b> {name.replace(/([A-Z])/g, ' $1').toLowerCase()}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
