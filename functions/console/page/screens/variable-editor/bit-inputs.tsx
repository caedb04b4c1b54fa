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
	/** The stored bits. A bit that gets a name again keeps the id that it had. */
	readonly stored: readonly BitDraft[];
	/** The newest byte; null when it is not known. */
	readonly value: number | null;
	/** The shown problems by the path of the field. */
	readonly problems: ReadonlyMap<string, FieldError>;
	readonly onChange: (bits: readonly BitDraft[]) => void;
}

/** The fields for the names of a byte's eight bits, each with its present state. Only bits with a name are saved. */
export function BitInputs({ bits, stored, value, problems, onChange }: BitInputsProps) {
	const text = editorText();
	const words = stateWords();
	const { error, faulty } = bitFaults(bits, problems);
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

/** Returns the shown problems of the bits, and the positions of the bits that have one. */
function bitFaults(bits: readonly BitDraft[], problems: ReadonlyMap<string, FieldError>) {
	const ofNames = bits.flatMap(({ bit }, index) => {
		const fault = problems.get(`bits.${index}.name`);
		return fault === undefined ? [] : [{ bit, fault }];
	});
	const ofAll = problems.get('bits');
	const inUse = ofAll?.params['bits'];
	return {
		error: fieldErrorText(ofAll ?? ofNames[0]?.fault),
		faulty: new Set([...ofNames.map(({ bit }) => bit), ...(Array.isArray(inUse) ? inUse : [])]),
	};
}
