import { Film, FolderOpen, PersonStanding, Settings2, Users } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from '../../controls/controls.js';
import { setView } from '../../state/view-store.js';
import { browseFiles } from '../open-files.js';
import { FilesPanel, Shelf, SourceSection } from './files-panel.js';

/** The files as a narrow rail, where the window is not wide. */
export function Rail() {
  return (
    <nav className="rail" aria-label="Files">
      <IconButton label="Open files" keys="Ctrl O" onClick={() => browseFiles()}>
        <FolderOpen size={18} />
      </IconButton>
      <RailPopup label="Clips of the source" icon={<Film size={18} />}>
        <div className="files">
          <SourceSection />
        </div>
      </RailPopup>
      <RailPopup label="Characters" icon={<Users size={18} />}>
        <FilesPanel />
      </RailPopup>
      <RailPopup label="Samples to try" icon={<PersonStanding size={18} />}>
        <div className="files">
          <Shelf />
        </div>
      </RailPopup>
      <span className="spacer" />
      <IconButton label="Preferences" keys="Ctrl ," onClick={() => setView({ sheet: 'preferences' })}>
        <Settings2 size={18} />
      </IconButton>
    </nav>
  );
}

function RailPopup({ label, icon, children }: { label: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="icon-button" aria-label={label} title={label}>
          {icon}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popup"
          side="right"
          align="start"
          sideOffset={8}
          collisionPadding={8}
          style={{ width: 272 }}
          aria-label={label}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
