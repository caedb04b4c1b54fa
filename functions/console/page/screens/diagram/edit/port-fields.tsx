import { symbolKinds } from '#domain/board/symbol-kinds.ts';
import type { Variable } from '#page/core/definitions.ts';
import { Field } from '#page/parts/field.tsx';
import { Select } from '#page/parts/select.tsx';
import { type DiagramDraft, symbolIn } from '../diagram-draft.ts';
import { middleOfSide } from '../symbols/pipe-geometry.ts';
import { diagramText } from '../texts.ts';
import { symbolName } from './names.ts';
import { hasAt, type PipePort, portsOf } from './pipe-edits.ts';
import { PlaceField } from './place-field.tsx';
import { editText } from './texts.ts';

interface PortFieldsProps {
	readonly label: string;
	/** The chosen port; null without one. */
	readonly port: PipePort | null;
	/** The symbol at the other end, which cannot be chosen; undefined without one. */
	readonly other: number | undefined;
	readonly draft: DiagramDraft;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly onPort: (port: PipePort) => void;
}

/** The fields for one end of a pipe: the symbol, its side, and the place along the side. */
export function PortFields({ label, port, other, draft, variables, onPort }: PortFieldsProps) {
	const text = editText();
	const symbol = symbolIn(draft, port?.symbol);
	const choices = draft.symbols.filter((each) => each.id !== other && portsOf(each).length > 0);
	/** Shown while no symbol is chosen, or while the chosen one is missing. */
	const noSymbol = { value: '', label: port === null ? '' : text.missing, disabled: true };
	return (
		<div class="columns ports">
			<Field label={label}>
				{(ties) => (
					<Select
						{...ties}
						value={symbol === null ? '' : String(symbol.id)}
						choices={[
							...(symbol === null ? [noSymbol] : []),
							...choices.map((each) => ({ value: String(each.id), label: symbolName(each, draft, variables) })),
						]}
						onChoose={(id) => {
							const [firstPort] = choices.filter((each) => String(each.id) === id).flatMap(portsOf);
							if (firstPort !== undefined) onPort(firstPort);
						}}
					/>
				)}
			</Field>
			{port !== null && symbol !== null && (
				<>
					<Field label={text.side}>
						{(ties) => (
							<Select
								{...ties}
								value={port.side}
								choices={symbolKinds[symbol.kind].sides.map((side) => ({ value: side, label: diagramText().sides[side] }))}
								onChoose={(side) => onPort({ ...port, side })}
							/>
						)}
					</Field>
					{hasAt(symbol, port.side) && (
						<PlaceField label={text.at} value={port.at ?? middleOfSide} onValue={(at) => onPort({ ...port, at })} />
					)}
				</>
			)}
		</div>
	);
}
