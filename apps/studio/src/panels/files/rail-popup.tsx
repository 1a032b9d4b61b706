import { Popover } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { focusFirst } from '../focus-first.js';

/** What a button of the rail opens beside it. */
export function RailPopup({
  label,
  content,
  children,
}: {
  label: string;
  content: ReactNode;
  children: ReactElement;
}) {
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger asChild>{children}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popup"
          side="right"
          align="start"
          sideOffset={8}
          collisionPadding={8}
          style={{ width: 272 }}
          aria-label={label}
          onOpenAutoFocus={focusFirst}
        >
          {content}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
