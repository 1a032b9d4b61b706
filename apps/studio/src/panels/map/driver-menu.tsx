import { DropdownMenu } from 'radix-ui';
import type { ReactElement } from 'react';
import { CHAIN_COLORS } from '../../stage/colors.js';
import { pairJoints } from '../../state/actions.js';
import type { Work } from '../../state/use-work.js';
import { setView } from '../../state/view-store.js';
import { shortNames } from '../joint-names.js';

/** Who can drive a joint: every joint of the source, or none. */
export function DriverMenu({ joint, work, children }: { joint: number; work: Work; children: ReactElement }) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="popup"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          style={{ width: 230 }}
        >
          <DropdownMenu.Item className="popup-item" onSelect={() => setView({ mapping: joint })}>
            By clicking
            <span className="key">M</span>
          </DropdownMenu.Item>
          <DropdownMenu.Item className="popup-item" onSelect={() => pairJoints(joint, null)}>
            (None)
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="popup-line" />
          {shortNames(work.sourceFacts?.skeleton?.names ?? []).map((other, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and joints never change places
            <DropdownMenu.Item key={index} className="popup-item" onSelect={() => pairJoints(joint, index)}>
              <span
                className="dot"
                style={{ color: CHAIN_COLORS[work.sourceFacts?.chains[index] ?? 'none'] }}
              />
              <span className="clip">{other}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
