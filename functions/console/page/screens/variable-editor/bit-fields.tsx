import { valueOrBit } from '#page/core/past/windows.ts';
import { shownOf } from '#page/core/shown.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { Icon } from '#page/parts/icon.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { withBitName } from './bit-names.ts';
import type { VariableEditor } from './editor-state.ts';
import { editorText } from './editor-texts.ts';
import type { Trial } from './trial.ts';

/** Properties of BitFields. */
export interface BitFieldsProps {
	readonly editor: VariableEditor;
	readonly trial: Trial;
	/** Returns what is wrong with a field, by its path. */
	readonly errorAt: (path: string) => string | undefined;
}

/** The eight bits of a byte, each with its state now. The ones with a name are saved. */
export function BitFields({ editor, trial, errorAt }: BitFieldsProps) {
	const text = editorText();
	const words = stateWords();
	const { bits } = editor.content.value;
	const { phase, answer } = trial.state.value;
	const value = phase === 'answered' && answer !== null ? shownOf(answer.reading).value : null;
	const error = errorAt('bits') ?? bits.map((_, index) => errorAt(`bits.${index}.name`)).find((each) => each !== undefined);
	return (
		<section class="panel form" aria-label={text.bits}>
			<h2>{text.bits}</h2>
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
								aria-invalid={(error !== undefined && named !== undefined) || undefined}
								value={named?.name ?? ''}
								onText={(name) => editor.change({ bits: withBitName(bits, editor.base.value.content.bits, position, name) })}
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
		</section>
	);
}
