import type { Contact } from '@stuntdouble/core/engine';
import { clock } from '../state/clock.js';
import { deleteSelectedContact, tellContacts, useContactChoice } from './contact-actions.js';
import { contactWords, dragContact } from './lanes.js';

/** The marks of the timeline as a list, for the keyboard and for whoever cannot see it. */
export function MarksList({
  contacts,
  duration,
  rate,
  onReset,
}: {
  contacts: readonly Contact[];
  duration: number;
  rate: number;
  onReset: () => void;
}) {
  const nudge = (index: number, part: 'start' | 'middle' | 'end', frames: number) => {
    const moved = dragContact(contacts[index]!, part, frames / rate, {
      rate,
      duration,
      snap: (time) => time,
    });
    tellContacts(
      contacts.map((one, n) => (n === index ? moved : one)),
      'Move a contact',
    );
  };
  return (
    <section className="marks" aria-label="Contacts">
      <p className="quiet">
        Arrows move a contact by a frame, with Shift its end, with Ctrl its start; Delete takes it away.
      </p>
      <ul>
        {contacts.map((contact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a contact is known by its place
          <li key={index}>
            <button
              type="button"
              onFocus={() => {
                useContactChoice.setState({ selected: index });
                clock.play(false);
                clock.seek(contact.start);
              }}
              onKeyDown={(event) => {
                const way = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
                if (event.key === 'Delete' || event.key === 'Backspace') deleteSelectedContact();
                else if (way !== 0)
                  nudge(index, event.shiftKey ? 'end' : event.ctrlKey ? 'start' : 'middle', way);
                else return;
                event.preventDefault();
                event.stopPropagation();
              }}
            >
              {contactWords(contact)} from frame {Math.round(contact.start * rate)} to{' '}
              {Math.round(contact.end * rate)}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="link-button" onClick={onReset}>
        Contacts as found
      </button>
    </section>
  );
}
