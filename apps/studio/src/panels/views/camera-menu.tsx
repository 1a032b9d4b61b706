import { DropdownMenu } from 'radix-ui';
import type { ReactElement } from 'react';
import { FIRST_CAMERA, standardView } from '../../stage/camera.js';
import type { StageView } from '../../stage/stage.js';
import { theStage } from '../../stage/the-stage.js';
import { setView, toggleShown, useView } from '../../state/view-store.js';
import { type MenuItem, MenuItems } from '../menu-items.js';
import { recallCamera, savePicture, storeCamera } from './camera-actions.js';

/** The menu of a view's camera. */
export function CameraMenu({ view, children }: { view: StageView | null; children: ReactElement }) {
  const layout = useView((state) => state.layout);
  const onion = useView((state) => state.shown.onion);
  const items: MenuItem[] = [
    {
      title: 'Front',
      keys: '1',
      run: () => theStage()?.setCamera(view, (state) => standardView(state, '1')),
    },
    { title: 'Side', keys: '3', run: () => theStage()?.setCamera(view, (state) => standardView(state, '3')) },
    { title: 'Top', keys: '7', run: () => theStage()?.setCamera(view, (state) => standardView(state, '7')) },
    {
      title: 'With or without perspective',
      keys: '5',
      run: () => theStage()?.setCamera(view, (state) => standardView(state, '5')),
    },
    { title: 'As on arrival', run: () => theStage()?.setCamera(view, () => FIRST_CAMERA) },
  ];
  const more: MenuItem[] = [
    { title: 'Store this camera', keys: 'Shift C', run: () => storeCamera(view) },
    { title: 'Recall the stored camera', keys: 'C', run: () => recallCamera(view) },
    { title: 'Save a picture', run: () => savePicture() },
  ];
  const looks: MenuItem[] = [
    {
      title: layout === 'beside' ? 'Overlay source and result' : 'Source and result side by side',
      run: () => setView({ layout: layout === 'beside' ? 'overlaid' : 'beside' }),
    },
    { title: onion ? 'No onion skins' : 'Onion skins', keys: 'U', run: () => toggleShown('onion') },
  ];
  return (
    <DropdownMenu.Root defaultOpen>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="popup" side="top" align="start" sideOffset={6}>
          <MenuItems groups={[items, looks, more]} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
