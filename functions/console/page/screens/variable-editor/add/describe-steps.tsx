import { useEffect, useMemo } from 'preact/hooks';
import { useLeaveGuard } from '#page/parts/use-editing.ts';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { createAdding } from './adding.ts';
import type { Choosing } from './choosing.ts';
import { Describe } from './describe.tsx';

const Create = lazyScreen(async () => (await import('./create.tsx')).Create);

/** The two steps after the choice: describing and creating. Leaving them asks first. */
export function DescribeSteps({ choosing }: { readonly choosing: Choosing }) {
	const adding = useMemo(() => createAdding(choosing), []);
	useLeaveGuard(adding.isUnsaved);
	useEffect(() => adding.stop, []);
	const run = adding.run.value;
	return run === null ? <Describe adding={adding} /> : <Create adding={adding} run={run} />;
}
