import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { messages } from '#page/i18n/i18n.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** A field in which two versions differ, in words. An empty text stands for nothing. */
export interface ConflictField {
	readonly key: string;
	readonly label: string;
	readonly theirs: string;
	readonly mine: string;
	/** Whether mine is chosen at first: where I changed it. */
	readonly isMine: boolean;
}

/** Properties of ConflictDialog. `onGoOn` gets the keys of the fields of which mine are kept. */
export interface SideBySideProps {
	readonly title: string;
	readonly text: string;
	readonly fields: readonly ConflictField[];
	readonly onGoOn: (myKeys: ReadonlySet<string>) => void;
	readonly onTakeTheirs: () => void;
	readonly onClose: () => void;
}

/** Theirs and mine side by side, with a choice for each field that differs. It stores nothing: saving is a second act. */
export function ConflictDialog({ title, text, fields, onGoOn, onTakeTheirs, onClose }: SideBySideProps) {
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
								<th scope="col">{words.theirs}</th>
								<th scope="col">{words.mine}</th>
							</tr>
						</thead>
						<tbody>
							{fields.map((field) => (
								<tr key={field.key}>
									<th scope="row">{field.label}</th>
									{([false, true] as const).map((side) => {
										const content = side ? field.mine : field.theirs;
										return (
											<td key={String(side)}>
												<label class="check">
													<input
														type="radio"
														name={`conflict-${field.key}`}
														aria-label={`${field.label}: ${side ? words.mine : words.theirs}: ${content === '' ? words.nothing : content}`}
														checked={isMine(field) === side}
														onChange={() => {
															chosen.value = new Map([...chosen.value, [field.key, side]]);
														}}
													/>
													{content === '' ? (
														<span class="muted">{words.nothing}</span>
													) : side ? (
														<ins>{content}</ins>
													) : (
														<del>{content}</del>
													)}
												</label>
											</td>
										);
									})}
								</tr>
							))}
						</tbody>
					</table>
				</div>
			)}
			<div class="dialog-foot">
				<div class="apart">
					<Button onClick={onTakeTheirs}>{words.takeTheirs}</Button>
				</div>
				<span class="muted">{words.storesNothing}</span>
				<Button look="primary" onClick={() => onGoOn(new Set(fields.filter(isMine).map(({ key }) => key)))}>
					{words.goOn}
				</Button>
			</div>
		</Dialog>
	);
}

const conflictText = messages({
	en: {
		theirs: 'Theirs',
		mine: 'Mine',
		nothing: 'nothing',
		same: 'Both are the same.',
		takeTheirs: 'Take theirs, drop mine',
		goOn: 'Go on with the choice',
		storesNothing: 'Nothing is stored until you save.',
	},
	es: {
		theirs: 'Lo suyo',
		mine: 'Lo mío',
		nothing: 'nada',
		same: 'Los dos son iguales.',
		takeTheirs: 'Quedarse con lo suyo',
		goOn: 'Seguir con lo elegido',
		storesNothing: 'No se guarda nada hasta que usted guarde.',
	},
});
