import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** The attributes that tie an input to its label, hint and error. Spread them over the input. */
export interface FieldTies {
	readonly id: string;
	readonly 'aria-describedby': string | undefined;
	readonly 'aria-invalid': boolean | undefined;
}

/** Properties of Field. `error` says what is wrong and what to do; null or undefined without one. */
export interface FieldProps {
	readonly label: string;
	readonly hint?: string | undefined;
	readonly error?: string | null | undefined;
	/** Renders the input with its ties. */
	readonly children: (ties: FieldTies) => ComponentChildren;
}

/** A label above an input, with a hint or an error below it. */
export function Field({ label, hint, error, children }: FieldProps) {
	const id = useId();
	const hasError = error !== undefined && error !== null;
	/** The ids of the texts that describe the input. */
	const descriptions = [hasError && `${id}-error`, hint !== undefined && `${id}-hint`].filter((part) => part !== false);
	return (
		<div class="field">
			<label class="field-label" for={id}>
				{label}
			</label>
			{children({
				id,
				'aria-describedby': descriptions.length === 0 ? undefined : descriptions.join(' '),
				'aria-invalid': hasError || undefined,
			})}
			{hasError && (
				<p class="field-error" id={`${id}-error`}>
					<Icon name="q-bad" />
					<span>{error}</span>
				</p>
			)}
			{hint !== undefined && (
				<p class="field-hint" id={`${id}-hint`}>
					{hint}
				</p>
			)}
		</div>
	);
}
