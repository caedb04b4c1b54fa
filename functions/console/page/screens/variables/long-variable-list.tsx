import { hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { VirtualList } from '#page/parts/virtual-list.tsx';
import type { ListRow } from './list-model.ts';
import { kindText, LiveAge, LiveQuality, LiveValue } from './variable-columns.tsx';

/** Many variables, one line each. */
export function LongVariableList({ rows }: { readonly rows: readonly ListRow[] }) {
	return (
		<VirtualList label={commonText().variables} items={rows} keyOf={({ variable: { id } }) => id} class="values long-variables">
			{(row) => (
				<a class="variable-line" href={hrefOf('variables', row.variable.id)}>
					<span class="mono muted">{row.variable.id}</span>
					<b class="name">{row.variable.name}</b>
					<span class="name">{row.variable.process}</span>
					<span class="name">{kindText(row)}</span>
					<span class="mono name">{row.source}</span>
					<LiveValue row={row} />
					<LiveQuality row={row} />
					<LiveAge row={row} />
				</a>
			)}
		</VirtualList>
	);
}
