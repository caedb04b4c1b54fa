import { type ListedSeries, rootPrefix } from './topic-store.ts';

/** A branch of the tree: all topics that begin with the same prefix, which ends with a slash. */
export interface TreeNode {
	/** The prefix of its topics, such as `wells/1/`. */
	readonly prefix: string;
	/** The last part of the prefix. */
	readonly name: string;
	/** How deep it is in the tree: `firstLevel` for the branches of the root, one more for each branch around it. */
	readonly level: number;
	/** The number of its series that were read, and how many of those no variable reads. */
	readonly count: number;
	readonly without: number;
	/** Whether there are branches inside it. */
	readonly hasBranches: boolean;
}

/** The level of the branches of the root. */
export const firstLevel = 1;

/** The most branches of one parent that are listed. The search finds the others. */
const mostBranches = 200;

/** Returns the visible branches: those of the root, and those inside opened branches. */
export function treeNodes(series: Iterable<ListedSeries>, opened: ReadonlySet<string>): readonly TreeNode[] {
	const children = childrenOf(series);
	const nodesBelow = (prefix: string, level: number): readonly TreeNode[] =>
		[...(children.get(prefix)?.values() ?? [])].slice(0, mostBranches).flatMap((counted) => {
			const node = { ...counted, level, hasBranches: children.has(counted.prefix) };
			return opened.has(node.prefix) ? [node, ...nodesBelow(node.prefix, level + 1)] : [node];
		});
	return nodesBelow(rootPrefix, firstLevel);
}

/** Returns the branches around a branch, from the outside in: of `a/b/c/` they are `a/` and `a/b/`. */
export function branchesAround(prefix: string): readonly string[] {
	return [...prefix.slice(0, -1).matchAll(/\//g)].map(({ index }) => prefix.slice(0, index + 1));
}

type CountedNode = Omit<TreeNode, 'level' | 'hasBranches'>;

/** Returns the branches by the prefix of their parent, then by their own. A series counts in every branch that contains it. */
function childrenOf(series: Iterable<ListedSeries>): ReadonlyMap<string, ReadonlyMap<string, CountedNode>> {
	const children = new Map<string, Map<string, CountedNode>>();
	for (const { topic, variables } of series) {
		let parent: string = rootPrefix;
		for (let slash = topic.indexOf('/'); slash >= 0; slash = topic.indexOf('/', slash + 1)) {
			const prefix = topic.slice(0, slash + 1);
			const siblings = children.get(parent) ?? new Map<string, CountedNode>();
			const node = siblings.get(prefix) ?? { prefix, name: topic.slice(parent.length, slash), count: 0, without: 0 };
			const without = node.without + (variables.length === 0 ? 1 : 0);
			siblings.set(prefix, { ...node, count: node.count + 1, without });
			children.set(parent, siblings);
			parent = prefix;
		}
	}
	return children;
}
