import { Segmented, type SegmentedProps } from './segmented.tsx';

/** A choice of one of a few in a form, below its label. */
export function SegmentedField<Value extends string>(props: SegmentedProps<Value>) {
	return (
		<div class="field">
			<span class="field-label" aria-hidden="true">
				{props.label}
			</span>
			<Segmented {...props} />
		</div>
	);
}
