package lockfile

// What the fuzz targets and specs drive.
var (
	Parse      = parse
	Format     = format
	FolderName = folderName
)
