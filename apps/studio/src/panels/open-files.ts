import { READ_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { type Place, takeFiles } from '../state/actions.js';

/** What stands beside a character or says something of it. */
const BESIDE = ['bin', 'json', 'png', 'jpg', 'jpeg', 'webp'];

const ACCEPT = [...READ_EXTENSIONS, ...BESIDE].map((extension) => `.${extension}`).join();

/** Asks the person for files, and takes them in. */
export function browseFiles(place: Place = null, add = false): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = ACCEPT;
  input.addEventListener('change', () => {
    if (input.files) takeFiles([...input.files], place, add);
  });
  input.click();
}

/** Asks the person for one file, and gives it on. */
export function askForFile(accept: string, take: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  input.addEventListener('change', () => {
    if (input.files?.[0]) take(input.files[0]);
  });
  input.click();
}

/** The files of a drop; folders are left out. */
export function droppedFiles(event: React.DragEvent | DragEvent): File[] {
  return [...(event.dataTransfer?.files ?? [])];
}

/** Gives the person a file. */
export function saveFile(name: string, content: BlobPart, type = 'application/octet-stream'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
