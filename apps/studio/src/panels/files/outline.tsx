import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useWork } from '../../state/use-work.js';
import { later } from '../later.js';

const OutlineTree = later(async () => (await import('./outline-tree.js')).OutlineTree);

/** Everything on the stage as a tree, where it is opened. */
export function Outline() {
  const work = useWork();
  const [isOpen, setOpen] = useState(false);
  if (!work.source && !work.target) return null;
  return (
    <section aria-label="Outline">
      <div className="section-head">
        <button
          type="button"
          className="group-head"
          style={{ padding: 0 }}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden style={{ transform: isOpen ? 'rotate(90deg)' : 'none' }} />
          <h2 style={{ font: 'inherit' }}>Outline</h2>
        </button>
      </div>
      {isOpen && <OutlineTree work={work} />}
    </section>
  );
}
