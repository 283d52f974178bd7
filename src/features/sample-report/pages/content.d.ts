interface ContentModules extends SampleExcerpts {
  sample: import('../schemas/sample.ts').Sample;
}
type SampleExcerpts = import('../sample-excerpts.ts').SampleExcerpts;
