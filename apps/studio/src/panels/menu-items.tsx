import { DropdownMenu } from 'radix-ui';

/** A line of a menu: what it does, and the key that does the same. */
export type MenuItem = { title: string; keys?: string; run: () => void };

/** The lines of a menu, in groups that a line parts. */
export function MenuItems({ groups }: { groups: readonly (readonly MenuItem[])[] }) {
  return groups.map((group, n) => (
    <div key={group[0]!.title}>
      {n > 0 && <DropdownMenu.Separator className="popup-line" />}
      {group.map(({ title, keys, run }) => (
        <DropdownMenu.Item key={title} className="popup-item" onSelect={run}>
          {title}
          {keys && <span className="key">{keys}</span>}
        </DropdownMenu.Item>
      ))}
    </div>
  ));
}
