interface ContentModules {
  blog: import('../schemas/blog.ts').BlogTexts;
}
