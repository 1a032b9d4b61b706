import { Dialog } from 'radix-ui';
import { putFile, type Question } from '../../state/actions.js';
import { focusFirst } from '../focus-first.js';

/** Asks what a file with both a motion and a body shall be. */
export function QuestionSheet({
  question,
  onDone,
}: {
  question: Question;
  /** Told whether it was answered; else nobody wants to be asked any more. */
  onDone: (answered: boolean) => void;
}) {
  const { ref, facts, add } = question;
  const answer = (place: 'source' | 'target' | 'both') => {
    if (place !== 'target') putFile(ref, 'source');
    if (place !== 'source') putFile(ref, 'target', add);
    onDone(true);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onDone(false)}>
      <Dialog.Portal>
        <Dialog.Overlay className="shade" />
        <Dialog.Content
          className="sheet"
          style={{ width: 'min(440px, calc(100vw - 32px))' }}
          aria-describedby={undefined}
          onOpenAutoFocus={focusFirst}
        >
          <div className="sheet-head">
            <Dialog.Title asChild>
              <h2>What is {ref.name} here?</h2>
            </Dialog.Title>
          </div>
          <div className="sheet-body">
            It has a body and {facts.clips.length} clip{facts.clips.length > 1 ? 's' : ''}: it can give its
            motion, or take another’s.
          </div>
          <div className="sheet-foot" style={{ justifyContent: 'flex-end' }}>
            <button type="button" className="button" onClick={() => answer('both')}>
              Both
            </button>
            <button type="button" className="button" onClick={() => answer('target')}>
              The character
            </button>
            <button type="button" className="button primary" onClick={() => answer('source')}>
              The motion
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
