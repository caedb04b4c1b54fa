import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { commonText } from '#page/i18n/common.ts';
import { messages } from '#page/i18n/i18n.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { type TextPart, textDifference } from './text-difference.ts';

/** A field in which two versions differ, in words. An empty text stands for nothing. */
export interface ConflictField {
	readonly key: string;
	readonly label: string;
	readonly theirs: string;
	readonly mine: string;
	/** Whether mine is chosen at first: where I changed it. */
	readonly isMine: boolean;
	/** Whether it is a formula, every sign of which counts. */
	readonly isCode?: boolean | undefined;
}

/** Properties of ConflictDialog. `onGoOn` gets the keys of the fields of which mine are kept. */
export interface ConflictDialogProps {
	readonly title: string;
	readonly text: string;
	readonly fields: readonly ConflictField[];
	/** How many further fields are the same in both. */
	readonly sameCount?: number | undefined;
	/** What each of them is: its version, its value. */
	readonly ofTheirs?: ComponentChildren;
	readonly ofMine?: ComponentChildren;
	readonly onGoOn: (myKeys: ReadonlySet<string>) => void;
	readonly onTakeTheirs: () => void;
	readonly onClose: () => void;
}

/** Theirs and mine side by side, with a choice for each field that differs. It stores nothing: saving is a second act. */
export function ConflictDialog({ title, text, fields, onGoOn, onTakeTheirs, onClose, ...more }: ConflictDialogProps) {
	const words = conflictText();
	const chosen = useSignal<ReadonlyMap<string, boolean>>(new Map());
	const table = useRef<HTMLTableElement>(null);
	useEffect(() => {
		table.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
	}, []);
	const isMine = ({ key, isMine: atFirst }: ConflictField): boolean => chosen.value.get(key) ?? atFirst;
	return (
		<Dialog title={title} onClose={onClose}>
			<p class="dialog-text">{text}</p>
			{fields.length === 0 ? (
				<p>{words.same}</p>
			) : (
				<div class="table-box">
					<table ref={table} class="conflict">
						<thead>
							<tr>
								<td />
								<th scope="col">
									<b>{commonText().theirs}</b> {more.ofTheirs}
								</th>
								<th scope="col">
									<b>{commonText().mine}</b> {more.ofMine}
								</th>
							</tr>
						</thead>
						<tbody>
							{fields.map((field) => (
								<FieldRow
									key={field.key}
									field={field}
									isMine={isMine(field)}
									onChoose={(side) => {
										chosen.value = new Map([...chosen.value, [field.key, side]]);
									}}
								/>
							))}
						</tbody>
					</table>
				</div>
			)}
			{more.sameCount !== undefined && more.sameCount > 0 && (
				<p class="muted">
					<Icon name="q-good" /> {words.sameFields(more.sameCount)}
				</p>
			)}
			<div class="dialog-foot">
				<div class="apart">
					<Button onClick={onTakeTheirs}>{commonText().takeTheirs}</Button>
				</div>
				<span class="muted">{words.storesNothing}</span>
				<Button look="primary" onClick={() => onGoOn(new Set(fields.filter(isMine).map(({ key }) => key)))}>
					{words.goOn}
				</Button>
			</div>
		</Dialog>
	);
}

interface FieldRowProps {
	readonly field: ConflictField;
	readonly isMine: boolean;
	readonly onChoose: (mine: boolean) => void;
}

/** A field with its two texts, of which one is chosen. */
function FieldRow({ field, isMine, onChoose }: FieldRowProps) {
	const words = conflictText();
	const parts = textDifference(field.theirs, field.mine);
	return (
		<tr>
			<th scope="row">{field.label}</th>
			{([false, true] as const).map((side) => {
				const content = side ? field.mine : field.theirs;
				return (
					<td key={String(side)}>
						<label class="check">
							<input
								type="radio"
								name={`conflict ${field.key}`}
								aria-label={`${field.label}: ${side ? commonText().mine : commonText().theirs}: ${content === '' ? words.nothing : content}`}
								checked={isMine === side}
								onChange={() => onChoose(side)}
							/>
							<span class={field.isCode === true ? 'mono' : undefined}>
								<Parts parts={side ? parts.b : parts.a} isMine={side} />
							</span>
						</label>
					</td>
				);
			})}
		</tr>
	);
}

/** A text with its differences marked: what is mine is an insertion, what is theirs a deletion. */
function Parts({ parts, isMine }: { readonly parts: readonly TextPart[]; readonly isMine: boolean }) {
	if (parts.length === 0) return <span class="muted">{conflictText().nothing}</span>;
	return (
		<>
			{parts.map(({ text, changed }, index) => {
				if (!changed) return text;
				// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name.
				return isMine ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>;
			})}
		</>
	);
}

const conflictText = messages({
	en: {
		nothing: 'nothing',
		same: 'Both are the same.',
		sameFields: (count: number) =>
			count === 1 ? '1 more field is the same in both.' : `${count} more fields are the same in both.`,
		goOn: 'Go on with the choice',
		storesNothing: 'Nothing is stored until you save.',
	},
	es: {
		nothing: 'nada',
		same: 'Los dos son iguales.',
		sameFields: (count: number) =>
			count === 1 ? 'Otro campo es igual en los dos.' : `Otros ${count} campos son iguales en los dos.`,
		goOn: 'Seguir con lo elegido',
		storesNothing: 'No se guarda nada hasta que usted guarde.',
	},
});
