import type { Contact, Plain } from '@stuntdouble/core/engine';
import { create } from 'zustand';
import { activeResult, sourceTiming } from '../stage/content.js';
import { tellSetting } from '../state/actions.js';

/** The contact that is selected, by its place in the list; −1 for none. */
export const useContactChoice = create<{ selected: number }>(() => ({ selected: -1 }));

/** Tells what touches what in the played clip. @param contacts In times of the result. */
export function tellContacts(
  contacts: readonly Contact[],
  label: string,
  gesture: string | null = null,
): void {
  const result = activeResult();
  if (!result) return;
  const { offset, rate } = sourceTiming(result.job);
  const told = contacts.map((contact) => ({
    ...contact,
    start: offset + contact.start * rate,
    end: offset + contact.end * rate,
  }));
  const before = (result.job.recipe.settings?.contacts ?? {}) as Record<string, Plain>;
  tellSetting('contacts', { ...before, [result.clip]: told as unknown as Plain }, { label, gesture });
}

/** Goes back to the contacts that are found in a clip. */
export function resetContacts(): void {
  const result = activeResult();
  if (!result) return;
  const { [result.clip]: _, ...others } = (result.job.recipe.settings?.contacts ?? {}) as Record<
    string,
    Plain
  >;
  tellSetting('contacts', Object.keys(others).length > 0 ? others : undefined, {
    label: 'Contacts as found',
  });
}

/** Takes the selected contact away. @returns whether one was selected. */
export function deleteSelectedContact(): boolean {
  const { selected } = useContactChoice.getState();
  const contacts = activeResult()?.entry?.contacts;
  if (!contacts?.[selected]) return false;
  useContactChoice.setState({ selected: -1 });
  tellContacts(
    contacts.filter((_, n) => n !== selected),
    'Delete a contact',
  );
  return true;
}
