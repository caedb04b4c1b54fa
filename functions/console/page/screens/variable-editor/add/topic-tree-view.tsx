import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { hasModifier } from '#page/core/modifier-keys.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { rowAfter } from '#page/parts/row-after.ts';
import { addText } from './add-texts.ts';
import { isWhole, type ListedSeries, rootPrefix, type TopicStore } from './topic-store.ts';
import { branchesAround, firstLevel, type TreeNode, treeNodes } from './topic-tree.ts';

interface TopicTreeProps {
	readonly topics: TopicStore;
	/** The prefix of the chosen branch. */
	readonly prefix: string;
	readonly onChoose: (prefix: string) => void;
}

/** Number of branches that Page Up and Page Down pass over. */
const pageNodes = 10;

/** The tree of the topics' branches. Up and down move the choice. Right opens a branch. Left closes it, or moves to the branch around it. */
export function TopicTree({ topics, prefix, onChoose }: TopicTreeProps) {
	const text = addText();
	const opened = useSignal<ReadonlySet<string>>(new Set());
	const box = useRef<HTMLDivElement>(null);
	const series = topics.series.value;
	const nodes = useMemo(() => treeNodes(series.values(), opened.value), [series, opened.value]);
	const items = [rootNode([...series.values()]), ...nodes];
	const branch = topics.branches.value.get(prefix);
	/** The index of the branch at which the Tab key stops: the chosen one, or the root if a closed branch hides the chosen one. */
	const tabStop = Math.max(
		0,
		items.findIndex((node) => node.prefix === prefix),
	);
	/** Whether the chosen branch has pages that were not read. */
	const isPartial = branch?.hasBegun === true && branch.phase !== 'reading' && !isWhole(topics.branches.value, prefix);
	const openBranch = (node: TreeNode): void => {
		opened.value = new Set([...opened.value, node.prefix]);
		void topics.open(node.prefix);
	};
	const closeBranch = (node: TreeNode): void => {
		opened.value = new Set([...opened.value].filter((openPrefix) => openPrefix !== node.prefix));
	};
	const moveTo = (node: TreeNode | undefined): void => {
		if (node === undefined) return;
		onChoose(node.prefix);
		box.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[items.indexOf(node)]?.focus();
	};
	const onKey = (event: TargetedKeyboardEvent<HTMLElement>, node: TreeNode, index: number): void => {
		if (hasModifier(event)) return;
		const target = rowAfter(event.key, index, { pageRows: pageNodes, count: items.length });
		const isOpen = opened.value.has(node.prefix);
		const parent = branchesAround(node.prefix).at(-1) ?? rootPrefix;
		if (target !== null) moveTo(items[target]);
		else if (event.key === 'ArrowRight' && node.hasBranches) openBranch(node);
		else if (event.key === 'ArrowLeft' && isOpen) closeBranch(node);
		else if (event.key === 'ArrowLeft') moveTo(items.find((item) => item.prefix === parent));
		else return;
		event.preventDefault();
	};
	return (
		<section class="panel topic-tree" aria-label={text.topics}>
			<h2>
				{text.topics} <small class="muted">{text.withoutVariable}</small>
			</h2>
			<div role="tree" aria-label={text.topics} ref={box}>
				{items.map((node, index) => (
					<TreeItem
						key={node.prefix}
						node={node}
						isChosen={node.prefix === prefix}
						isStop={index === tabStop}
						isOpen={opened.value.has(node.prefix)}
						onChoose={() => onChoose(node.prefix)}
						onToggle={() => (opened.value.has(node.prefix) ? closeBranch(node) : openBranch(node))}
						onKey={(event) => onKey(event, node, index)}
					/>
				))}
			</div>
			{branch?.phase === 'reading' && <p class="muted">{commonText().reading}</p>}
			{isPartial && <Button onClick={() => void topics.more(prefix)}>{text.moreTopics}</Button>}
		</section>
	);
}

/** Returns the first item of the tree, which stands for all topics. The branches of the root stand beside it, not inside it. */
function rootNode(series: readonly ListedSeries[]): TreeNode {
	return {
		prefix: rootPrefix,
		name: addText().allTopics,
		level: firstLevel,
		count: series.length,
		without: series.filter(({ variables }) => variables.length === 0).length,
		hasBranches: false,
	};
}

/** How far branches of the first level are indented, in rem. */
const firstIndent = 0.375;

/** How much further the branches of each level are indented than those of the level around it, in rem. */
const levelIndent = 0.875;

interface TreeItemProps {
	readonly node: TreeNode;
	readonly isChosen: boolean;
	/** Whether the Tab key stops at it. */
	readonly isStop: boolean;
	readonly isOpen: boolean;
	readonly onChoose: () => void;
	readonly onToggle: () => void;
	readonly onKey: (event: TargetedKeyboardEvent<HTMLElement>) => void;
}

function TreeItem({ node, isChosen, isStop, isOpen, onChoose, onToggle, onKey }: TreeItemProps) {
	const { name, level, count, without, hasBranches } = node;
	return (
		<div
			role="treeitem"
			aria-level={level}
			aria-selected={isChosen}
			aria-expanded={hasBranches ? isOpen : undefined}
			tabIndex={isStop ? 0 : -1}
			style={{ paddingLeft: `${firstIndent + (level - firstLevel) * levelIndent}rem` }}
			onClick={(event) => {
				// The arrow is the only icon of the item. Icons have the class `i`.
				const isOnArrow = event.target instanceof Element && event.target.closest('.i') !== null;
				if (isOnArrow && hasBranches) onToggle();
				else onChoose();
			}}
			onDblClick={() => hasBranches && onToggle()}
			onKeyDown={onKey}
		>
			{hasBranches ? <Icon name={isOpen ? 'i-down' : 'i-right'} /> : <span class="no-branch" />}
			<span class="grow">{name}</span>
			<span class="sr">{addText().counts(without, count)}</span>
			<b aria-hidden="true">{without === 0 ? '' : without}</b>
			<span class="count" aria-hidden="true">
				{count}
			</span>
		</div>
	);
}
