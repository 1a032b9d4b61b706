import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { answerQuestionsBy, putFile, type Question, takeFiles } from '../../state/actions.js';
import { useDerived } from '../../state/derived-store.js';
import { browseFiles } from '../open-files.js';

/** Asks once what a file with both a motion and a body shall be. */
export function FileQuestion() {
  const [questions, setQuestions] = useState<Question[]>([]);
  useEffect(() => answerQuestionsBy(setQuestions), []);
  const [question] = questions;
  if (!question) return null;
  const { ref, facts } = question;
  const answer = (place: 'source' | 'target' | 'both') => {
    if (place !== 'target') putFile(ref, 'source');
    if (place !== 'source') putFile(ref, 'target');
    setQuestions(questions.slice(1));
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && setQuestions([])}>
      <Dialog.Portal>
        <Dialog.Overlay className="shade" />
        <Dialog.Content
          className="sheet"
          style={{ width: 'min(440px, calc(100vw - 32px))' }}
          aria-describedby={undefined}
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

/** Asks for files that a reopened document speaks of and that are not at hand. */
export function MissingFiles() {
  const missing = useDerived((state) => state.missing);
  if (missing.length === 0) return null;
  return (
    <div
      className="popup"
      role="status"
      style={{
        position: 'fixed',
        left: '50%',
        top: 60,
        transform: 'translateX(-50%)',
        padding: '10px 14px',
        width: 'min(460px, 90vw)',
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        takeFiles([...event.dataTransfer.files]);
      }}
    >
      <strong>Drop these files to go on</strong>
      {missing.map(({ name, size, sha256, role }) => (
        <div key={sha256} className="setting" style={{ gridTemplateColumns: '8px minmax(0, 1fr) auto' }}>
          <span className="dot warn" />
          <span className="clip" title={name}>
            {name} <span className="quiet">{Math.max(1, Math.round(size / 1000))} KB</span>
          </span>
          <button type="button" className="link-button" onClick={() => browseFiles(role)}>
            browse
          </button>
        </div>
      ))}
      <button type="button" className="link-button" onClick={() => useDerived.setState({ missing: [] })}>
        Go on without them
      </button>
    </div>
  );
}
