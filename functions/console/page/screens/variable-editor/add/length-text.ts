import { editorText } from '../editor-texts.ts';
import type { Length } from './lengths.ts';

/** Returns a length in the words of the editor: `10 min`. */
export function lengthText({ count, unit }: Length): string {
	return `${count} ${editorText().units[unit]}`;
}
