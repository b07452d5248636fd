// Package skills reads and edits entries of skills, so that those of several servers can be told apart: the extension
// io.modelcontextprotocol/skills (SEP-2640; the specification is specification/stable/skills.mdx of
// modelcontextprotocol/ext-skills). It edits JSON text, so that everything else keeps its bytes. It does no
// I/O.
package skills
