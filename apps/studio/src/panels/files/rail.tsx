import { Film, FolderOpen, PersonStanding, Settings2, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../controls/controls.js';
import { setView } from '../../state/view-store.js';
import { openedLater } from '../later.js';
import { browseFiles } from '../open-files.js';
import { FilesPanel, Shelf, SourceSection } from './files-panel.js';

const RailPopup = openedLater(async () => (await import('./rail-popup.js')).RailPopup, 'dialog');

/** The files as a narrow rail, where the window is not wide. */
export function Rail() {
  return (
    <nav className="rail" aria-label="Files">
      <IconButton label="Open files" keys="Ctrl O" onClick={() => browseFiles()}>
        <FolderOpen size={18} />
      </IconButton>
      <RailPart label="Clips of the source" icon={<Film size={18} />}>
        <div className="files">
          <SourceSection />
        </div>
      </RailPart>
      <RailPart label="Characters" icon={<Users size={18} />}>
        <FilesPanel />
      </RailPart>
      <RailPart label="Samples to try" icon={<PersonStanding size={18} />}>
        <div className="files">
          <Shelf />
        </div>
      </RailPart>
      <span className="spacer" />
      <IconButton label="Preferences" keys="Ctrl ," onClick={() => setView({ sheet: 'preferences' })}>
        <Settings2 size={18} />
      </IconButton>
    </nav>
  );
}

function RailPart({ label, icon, children }: { label: string; icon: ReactNode; children: ReactNode }) {
  return (
    <RailPopup label={label} content={children}>
      <button type="button" className="icon-button" aria-label={label} title={label}>
        {icon}
      </button>
    </RailPopup>
  );
}
