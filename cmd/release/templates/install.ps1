# Installs MCP Workbench [[.Version.Number]] for the user who runs it:
#
#   irm [[.Owner.Repository]]/releases/latest/download/install.ps1 | iex
#
# The variable MCP_WORKBENCH_FOLDER sets a folder other than %LOCALAPPDATA%\Programs\mcp-workbench, and
# MCP_WORKBENCH_FROM another place of the archive, such as a mirror. The SHA-256 sums are in this script.
# Nothing is changed before the archive is complete and verified.
& {
    $ErrorActionPreference = "Stop"
    $ProgressPreference = "SilentlyContinue" # the bar makes downloads slow in Windows PowerShell
    $folder = if ($env:MCP_WORKBENCH_FOLDER) { $env:MCP_WORKBENCH_FOLDER } else { Join-Path $env:LOCALAPPDATA "Programs\mcp-workbench" }
    $from = if ($env:MCP_WORKBENCH_FROM) { $env:MCP_WORKBENCH_FROM } else { "[[.Owner.Repository]]/releases/download/[[.Version.Tag]]" }
    $machine = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
    switch ($machine) {
        "AMD64" { $architecture = "amd64"; $wanted = "[[.Sum (.Archive "windows" "amd64")]]" }
        "ARM64" { $architecture = "arm64"; $wanted = "[[.Sum (.Archive "windows" "arm64")]]" }
        default { throw "install.ps1: there is no program for $machine" }
    }
    $name = "mcp-workbench-[[.Version.Number]]-windows-$architecture"
    $work = Join-Path ([IO.Path]::GetTempPath()) ("mcp-workbench-" + [Guid]::NewGuid())
    New-Item -ItemType Directory $work | Out-Null
    try {
        $archive = Join-Path $work "$name.zip"
        [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
        Invoke-WebRequest -UseBasicParsing -Uri "$from/$name.zip" -OutFile $archive
        $found = (Get-FileHash -LiteralPath $archive -Algorithm SHA256).Hash
        if ($found -ne $wanted) {
            throw "install.ps1: $name.zip has the SHA-256 sum $found, not ${wanted}: it is cut, changed or of another version. Nothing was installed"
        }
        Expand-Archive -LiteralPath $archive -DestinationPath $work
        New-Item -ItemType Directory -Force $folder | Out-Null
        $program = Join-Path $folder "mcp-workbench.exe"
        # Windows cannot replace a running program, but can rename it.
        Get-ChildItem -Path $folder -Filter "mcp-workbench.exe.old*" | Remove-Item -ErrorAction SilentlyContinue
        if (Test-Path -LiteralPath $program) { Move-Item -LiteralPath $program -Destination "$program.old$([DateTime]::Now.Ticks)" }
        Copy-Item -LiteralPath (Join-Path $work "$name\mcp-workbench.exe") -Destination $program
    } finally {
        Remove-Item -Recurse -Force -LiteralPath $work
    }
    $path = [Environment]::GetEnvironmentVariable("Path", "User")
    if (($path -split ";") -notcontains $folder) {
        [Environment]::SetEnvironmentVariable("Path", (@($path, $folder) | Where-Object { $_ }) -join ";", "User")
        Write-Output "Added $folder to your PATH: open a new window."
    }
    Write-Output "Installed MCP Workbench [[.Version.Number]] as $program."
    Write-Output "Next: mcp-workbench init"
}
