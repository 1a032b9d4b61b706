import { DropdownMenu } from 'radix-ui';
import type { ReactElement } from 'react';
import { beginAnew } from '../../state/actions.js';
import { setView } from '../../state/view-store.js';
import { type MenuItem, MenuItems } from '../menu-items.js';
import { browseFiles } from '../open-files.js';
import { saveDocument } from '../save-document.js';

const GROUPS: readonly MenuItem[][] = [
  [
    { title: 'Open files …', keys: 'Ctrl O', run: () => browseFiles() },
    { title: 'Save the document', keys: 'Ctrl S', run: saveDocument },
    { title: 'Export …', keys: 'Ctrl E', run: () => setView({ sheet: 'export' }) },
  ],
  [{ title: 'Begin anew with the sample', run: beginAnew }],
  [
    { title: 'Preferences …', keys: 'Ctrl ,', run: () => setView({ sheet: 'preferences' }) },
    { title: 'Keys and help …', keys: '?', run: () => setView({ sheet: 'shortcuts' }) },
  ],
];

/** What can be done with the work as a whole: to open, to save, to take home, to begin anew. */
export function WorkMenu({ children }: { children: ReactElement }) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      {/* In the bar that it belongs to: screen readers go from landmark to landmark. */}
      <DropdownMenu.Portal container={document.querySelector<HTMLElement>('.top')}>
        <DropdownMenu.Content className="popup" align="start" sideOffset={6}>
          <MenuItems groups={GROUPS} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
