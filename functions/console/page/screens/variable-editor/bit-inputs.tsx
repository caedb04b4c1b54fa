import type { FieldError } from '#page/core/api.ts';
import { valueOrBit } from '#page/core/past/windows.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { Icon } from '#page/parts/icon.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { type BitDraft, withBitName } from './draft.ts';
import { editorText } from './editor-texts.ts';
import { fieldErrorText } from './wording.ts';

interface BitInputsProps {
	readonly bits: readonly BitDraft[];
	/** The bits that are stored: a bit that gets a name again has the id of before. */
	readonly stored: readonly BitDraft[];
	/** The newest byte; null where it is not known. */
	readonly value: number | null;
	/** What is said to be wrong, by the path of the field. */
	readonly said: ReadonlyMap<string, FieldError>;
	readonly onChange: (bits: readonly BitDraft[]) => void;
}

/** The eight bits of a byte, each with its state now. The ones with a name are saved. */
export function BitInputs({ bits, stored, value, said, onChange }: BitInputsProps) {
	const text = editorText();
	const words = stateWords();
	const { error, faulty } = bitFaults(bits, said);
	return (
		<>
			<p class="field-hint">{text.bitsHint}</p>
			<ul class="bit-fields">
				{[7, 6, 5, 4, 3, 2, 1, 0].map((position) => {
					const named = bits.find(({ bit }) => bit === position);
					const state = valueOrBit(value, position);
					const isOn = state === null ? null : state === 1;
					return (
						<li key={position}>
							<span class="mono">{text.bit(position)}</span>
							<TextInput
								aria-label={text.bit(position)}
								aria-invalid={faulty.has(position) || undefined}
								value={named?.name ?? ''}
								onText={(name) => onChange(withBitName(bits, stored, position, name))}
							/>
							<span class={isOn === null ? 'word unknown' : 'word'}>
								<StateShape kind="state" on={isOn} /> {isOn === null ? words.unknown : isOn ? words.state.on : words.state.off}
							</span>
						</li>
					);
				})}
			</ul>
			{error !== undefined && (
				<p class="field-error" role="alert">
					<Icon name="q-bad" />
					<span>{error}</span>
				</p>
			)}
		</>
	);
}

/** Returns what is said about the bits, and the positions of those at fault. */
function bitFaults(bits: readonly BitDraft[], said: ReadonlyMap<string, FieldError>) {
	const ofNames = bits.flatMap(({ bit }, index) => {
		const fault = said.get(`bits.${index}.name`);
		return fault === undefined ? [] : [{ bit, fault }];
	});
	const ofAll = said.get('bits');
	const inUse = ofAll?.params['bits'];
	return {
		error: fieldErrorText(ofAll ?? ofNames[0]?.fault),
		faulty: new Set([...ofNames.map(({ bit }) => bit), ...(Array.isArray(inUse) ? inUse : [])]),
	};
}
