import { useEffect, useMemo } from 'preact/hooks';
import { useDefinitions } from '#page/core/definitions.ts';
import { hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { ScreenForRole } from '#page/parts/for-role.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { addText } from './add-texts.ts';
import { Choose } from './choose.tsx';
import { createChoosing } from './choosing.ts';
import { rootPrefix } from './topic-store.ts';

const DescribeSteps = lazyScreen(async () => (await import('./describe-steps.tsx')).DescribeSteps);

/** The screen that adds variables for series of the database, in three steps: choose, describe, create. */
export function AddScreen() {
	return (
		<ScreenForRole title={commonText().addFromDatabase} needs="engineer">
			<div class="only-narrow">
				<div class="head">
					<a class="muted" href={hrefOf('variables')}>
						{commonText().variables} /
					</a>
					<h1>{commonText().addFromDatabase}</h1>
				</div>
				<EmptyState icon="i-list" title={addText().wider}>
					<p>{addText().widerText}</p>
				</EmptyState>
			</div>
			<div class="only-wide">
				<Steps />
			</div>
		</ScreenForRole>
	);
}

function Steps() {
	const choosing = useMemo(createChoosing, []);
	useDefinitions('variables');
	useEffect(() => {
		void choosing.topics.open(rootPrefix);
	}, []);
	return choosing.isDone.value ? <DescribeSteps choosing={choosing} /> : <Choose choosing={choosing} />;
}
