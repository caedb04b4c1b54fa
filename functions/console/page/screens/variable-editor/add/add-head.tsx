import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { addText } from './add-texts.ts';

interface AddHeadProps {
	/** The present step: 0 chooses series, 1 describes them, 2 creates the variables. */
	readonly step: 0 | 1 | 2;
	/** The buttons. */
	readonly children: ComponentChildren;
}

/** The title with the steps. When the next step begins, its title gets the focus. */
export function AddHead({ step, children }: AddHeadProps) {
	const title = useRef<HTMLHeadingElement>(null);
	useLayoutEffect(() => {
		if (step > 0) title.current?.focus();
	}, []);
	return (
		<div class="head">
			<a class="muted" href={hrefOf('variables')}>
				{commonText().variables} /
			</a>
			<h1 ref={title} tabIndex={-1}>
				{commonText().addFromDatabase}
			</h1>
			<ol class="steps" aria-label={addText().stepsLabel}>
				{addText().steps.map((name, index) => (
					<li key={name} aria-current={index === step ? 'step' : undefined} class={index < step ? 'done' : undefined}>
						<span aria-hidden="true">{index < step ? '✓' : index + 1}</span>
						{name}
					</li>
				))}
			</ol>
			<div class="actions">{children}</div>
		</div>
	);
}
