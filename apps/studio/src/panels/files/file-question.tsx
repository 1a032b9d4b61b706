import { useEffect, useState } from 'react';
import { answerQuestionsBy, type Question, takeFiles } from '../../state/actions.js';
import { missingOf, useDerived } from '../../state/derived-store.js';
import { usePresent } from '../../state/use-work.js';
import { later } from '../later.js';
import { browseFiles } from '../open-files.js';

const QuestionSheet = later(async () => (await import('./question-sheet.js')).QuestionSheet);

/** Asks once what a file with both a motion and a body shall be. */
export function FileQuestion() {
  const [questions, setQuestions] = useState<Question[]>([]);
  useEffect(() => answerQuestionsBy(setQuestions), []);
  const [question] = questions;
  if (!question) return null;
  return (
    <QuestionSheet
      question={question}
      onDone={(answered) => setQuestions(answered ? questions.slice(1) : [])}
    />
  );
}

/** Asks for files that a reopened document speaks of and that are not at hand. */
export function MissingFiles() {
  const document = usePresent();
  const all = useDerived();
  const missing = missingOf(all, document);
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
        // The window would take them once more.
        event.stopPropagation();
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
